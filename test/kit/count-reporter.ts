import type { Reporter, TestModule } from 'vitest/node';

/** Ends the run with the one plain line that CI reads: `N passed, N failed`. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    let passed = 0;
    let failed = errors.length;
    const skipped: string[] = [];
    for (const module of modules) {
      if (!module.ok() && [...module.children.allTests()].length === 0) failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') passed += 1;
        else if (state === 'failed') failed += 1;
        else skipped.push(test.fullName);
      }
    }
    const tail = skipped.length > 0 ? `, ${skipped.length} skipped` : '';
    const names = skipped.map((name) => `skipped: ${name}\n`).join('');
    process.stdout.write(`${names}${passed} passed, ${failed} failed${tail}\n`);
  }
}
