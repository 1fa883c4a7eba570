import { Fragment } from 'react';
import { visible } from '../format/visible.js';
import { citedParts, type EvidenceLinks } from './link-citations.js';
import './citation.css';

/** A command or name between backticks. */
const CODE = /`([^`\n]{1,500})`/;

/** A line of text whose citations lead to their evidence. What stands between backticks is code. */
export function CitedText({ text, links }: { text: string; links: EvidenceLinks }) {
  return citedParts(text, links).map(({ text: words, href }, i) => (
    <Fragment key={i}>
      {href === undefined ? (
        <Words text={words} />
      ) : (
        <a className="citation" href={href}>
          {words}
        </a>
      )}
    </Fragment>
  ));
}

function Words({ text }: { text: string }) {
  return text
    .split(CODE)
    .map((part, i) => (i % 2 === 0 ? visible(part) : <code key={i}>{visible(part)}</code>));
}
