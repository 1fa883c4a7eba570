import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { anchorOf } from './anchor.mjs';
import { rewrites, sideBar } from './pages.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Links to files of the repository that are no pages of the site. tools/docs.spec.mjs checks that they exist. */
const FILES_OF_THE_REPOSITORY = /^(?:\.\/)?(?:\.\.\/)*(?:apps|libs|samples|tools|config)\/./;

/** The site of `npm run docs`: README, the pages of docs/ and those of CONTRIBUTING, CHANGELOG, libs and k8s. */
export default defineConfig({
  title: 'Casefile',
  description: 'Casefile turns alerts into verdicts that can be audited.',
  srcDir: root,
  cacheDir: `${root}/.nx/vitepress`,
  srcExclude: ['apps/**', 'libs/*/**', 'samples/**', 'tools/**', 'dist/**'],
  rewrites: rewrites(),
  ignoreDeadLinks: [FILES_OF_THE_REPOSITORY],
  // Headings such as `GET /cases/{id}` contain braces, which are no attributes.
  markdown: { html: false, attrs: { disable: true }, anchor: { slugify: anchorOf } },
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Documentation', link: '/docs/' },
      { text: 'Settings', link: '/docs/reference/settings' },
      { text: 'Glossary', link: '/docs/reference/glossary' },
    ],
    sidebar: sideBar(),
  },
  buildEnd: ({ outDir }) => copyFile(join(root, 'llms.txt'), join(outDir, 'llms.txt')),
});
