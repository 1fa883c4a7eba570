import { defineConfig } from 'vite';

// Where a running console answers, for `npx vite apps/dashboard`: pages from here, everything else from there.
const CONSOLE = 'http://127.0.0.1:3000';

export default defineConfig({
  // Types alone come from the workspace's packages, so nothing of them is bundled.
  build: {
    target: ['chrome123', 'firefox121', 'safari17.5'],
    // Fonts and images stay files: the policy of the page forbids data: addresses for them.
    assetsInlineLimit: 0,
    // A bundle over this is looked at: a part has to stay under 100 kB compressed.
    chunkSizeWarningLimit: 400,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Libraries mark files for servers that render React; there is none here.
      onLog: (level, log, report) => void (log.code === 'MODULE_LEVEL_DIRECTIVE' || report(level, log)),
    },
  },
  server: { proxy: { '/api': CONSOLE, '/queues': CONSOLE } },
});
