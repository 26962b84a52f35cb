import fs from 'node:fs';

/** Next writes its configuration here when it builds, defaults and all. */
const BUILT = '.next/required-server-files.json';

/**
 * Has Next start with the configuration of its build, as its standalone server does: reading `next.config.ts` takes a
 * compiler, which the container image does not hold. Throws when the pages were not built.
 */
export function applyBuiltConfig(): void {
  const { config } = JSON.parse(fs.readFileSync(BUILT, 'utf8')) as { config: object };
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config);
}
