import { generateImage } from '../lib/images/generator/generate-image';
import { environmentsSchema } from '../lib/vocabulary/image-schemas';
import { median, report } from './measure';

const [ENVIRONMENTS, PACKAGES, ROUNDS] = [10, 100, 21];
const WANTED_MS = 20;

/** Reading and generating an image of many packages, as a preview does while somebody types. */
export async function benchGenerator(): Promise<void> {
  const sent = Array.from({ length: ENVIRONMENTS }, (_, each) => ({
    name: `environment-${each}`,
    channels: [{ name: 'conda-forge' }],
    packages: Array.from({ length: PACKAGES }, (__, number) => ({
      manager: number % 2 === 0 ? 'conda' : 'pypi',
      name: `package-${number}`,
      version: { constraint: 'compatible', specifier: `1.${number}.2` },
      description: 'What an index says of a package, in some words',
    })),
  }));
  const sources = { pypiIndexUrl: '', condaUrl: '', micromambaImage: 'mambaorg/micromamba:2.6.1' };
  const times = Array.from({ length: ROUNDS }, () => {
    const before = performance.now();
    const environments = environmentsSchema.parse(sent);
    generateImage(
      {
        baseImage: 'ubuntu:24.04',
        channels: [],
        environments,
        startupCommands: [],
        userConfiguration: null,
        filePaths: [],
      },
      sources,
    );
    return performance.now() - before;
  });
  const ms = median(times);
  report(
    `${ENVIRONMENTS} environments of ${PACKAGES} packages`,
    `${ms.toFixed(1)} ms`,
    `${WANTED_MS} ms`,
    ms <= WANTED_MS,
  );
}
