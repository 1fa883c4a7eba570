import { Fragment } from 'react';
import { visible } from '../format/visible.js';
import { citedParts, type EvidenceLinks } from './link-citations.js';
import './citation.css';

/** A line of text whose citations lead to their evidence. */
export function CitedText({ text, links }: { text: string; links: EvidenceLinks }) {
  return citedParts(text, links).map(({ text: words, href }, i) => (
    <Fragment key={i}>
      {href === undefined ? (
        visible(words)
      ) : (
        <a className="citation" href={href}>
          {words}
        </a>
      )}
    </Fragment>
  ));
}
