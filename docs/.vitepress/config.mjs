import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { anchorOf } from './anchor.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The site of `npm run docs`: README, the pages of docs/ and those of CONTRIBUTING, CHANGELOG, libs and k8s. */
export default defineConfig({
  title: 'Casefile',
  description: 'Casefile turns alerts into verdicts that can be audited.',
  srcDir: root,
  cacheDir: `${root}/.nx/vitepress`,
  srcExclude: ['apps/**', 'libs/*/**', 'samples/**', 'tools/**', 'dist/**'],
  rewrites: {
    'README.md': 'index.md',
    'docs/README.md': 'docs/index.md',
    'docs/decisions/README.md': 'docs/decisions/index.md',
    'libs/README.md': 'libs/index.md',
    'k8s/README.md': 'k8s/index.md',
  },
  // Pages also link to files that are not part of the site. tools/docs.spec.mjs checks every link.
  ignoreDeadLinks: true,
  // Headings such as `GET /cases/{id}` contain braces, which are no attributes.
  markdown: { html: false, attrs: { disable: true }, anchor: { slugify: anchorOf } },
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Documentation', link: '/docs/' },
      { text: 'Settings', link: '/docs/settings' },
      { text: 'Glossary', link: '/docs/glossary' },
    ],
    sidebar: [
      {
        text: 'Use',
        items: pages('use', [
          'console',
          'scam-verdict',
          'message-screening',
          'policy-check',
          'incident',
          'research',
          'review',
          'run-again',
          'flags',
          'prompts',
          'quality',
        ]),
      },
      {
        text: 'Integrate',
        items: pages('integrate', [
          'http',
          'senders',
          'webhooks',
          'destinations',
          'silences',
          'queues',
          'clients',
        ]),
      },
      {
        text: 'Operate',
        items: pages('operate', ['install', 'health', 'conditions', 'monitoring', 'data', 'scaling']),
      },
      {
        text: 'Reference',
        items: pages('', [
          'settings',
          'reference/cli',
          'reference/metrics',
          'reference/fields',
          'reference/case-rules',
          'glossary',
          'extend',
          'walk',
          'states',
          'measurements',
          'decisions/',
        ]),
      },
    ],
  },
});

function pages(folder, names) {
  const prefix = folder === '' ? '/docs/' : `/docs/${folder}/`;
  return names.map((name) => ({
    text: name.replace(/^reference\/|\/$/g, '').replaceAll('-', ' '),
    link: prefix + name,
  }));
}
