import { defineConfig } from 'vitest/config';

/** `npm run interop`: published clients from package registries against the program. Not part of `npm test`. */
export default defineConfig({
  test: {
    include: ['test/interop/*.interop.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 180_000,
  },
});
