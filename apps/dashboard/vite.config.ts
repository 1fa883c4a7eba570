import { defineConfig } from 'vite';

// URL of a running console, for `npx vite apps/dashboard`: Vite serves the pages and proxies the rest.
const CONSOLE = 'http://127.0.0.1:3000';

const STRINGS =
  /dashboard\/src\/(?:strings\/(?:text|language|en\.json)|format\/numbers)|node_modules\/react\//;
const OF_EVERY_PAGE =
  /dashboard\/src\/(?:app|places|shell\/(?!palette|found-places)|live\/|api\/(?:access|audit|inbox|queries|read|request|series|silences)|format\/(?:time|visible)|pages\/home\/|ui\/(?:answer|badge|button|cx|dialog|error-boundary|series-lines|spark|stamp|states|use-media|walk-rows))/;

export default defineConfig({
  // The workspace's packages supply only types, so nothing of them is bundled.
  build: {
    target: ['chrome123', 'firefox121', 'safari17.5'],
    // Fonts and images stay files, because the content security policy forbids data: URLs for them.
    assetsInlineLimit: 0,
    // Vite warns above this size, in kB: a compressed chunk must stay below 100 kB.
    chunkSizeWarningLimit: 400,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Modules of every page are one file, which compresses better than many small ones. Strings are not among them,
      // because the language is set before these modules are evaluated.
      output: {
        codeSplitting: {
          groups: [
            { name: 'strings', test: STRINGS, priority: 2 },
            { name: 'console', test: OF_EVERY_PAGE, priority: 1 },
          ],
        },
      },
      // Some libraries mark files with a directive for server rendering, which does not apply here.
      onLog: (level, log, report) => void (log.code === 'MODULE_LEVEL_DIRECTIVE' || report(level, log)),
    },
  },
  server: { proxy: { '/api': CONSOLE, '/queues': CONSOLE } },
});
