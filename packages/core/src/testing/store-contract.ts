import type { TestKit } from './disk-contract.ts';
import { READING_CASES } from './store-cases-reading.ts';
import { WRITING_CASES } from './store-cases-writing.ts';
import type { StoreFixture } from './store-fixture.ts';

/** What every session store must do alike. `make` is called for each test. */
export function storeContract(kit: TestKit, name: string, make: () => StoreFixture | Promise<StoreFixture>): void {
  kit.describe(`SessionStore contract: ${name}`, () => {
    for (const [title, test] of Object.entries({ ...WRITING_CASES, ...READING_CASES })) {
      kit.it(title, async () => {
        const fixture = await make();
        try {
          await test(fixture);
        } finally {
          await fixture.dispose();
        }
      });
    }
  });
}
