import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    reporters: ['default', './test/kit/count-reporter.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Two cores: whole-system tests start real processes and suffer when many files run at once.
    maxWorkers: 2,
  },
});
