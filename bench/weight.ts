import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import { gzipSync } from 'node:zlib';
import { report } from './measure';

const BUILT = path.resolve(import.meta.dirname, '../.next');

/**
 * How much JavaScript a page may load before it stands, in KB of gzip: 134 of it are React and Next. What is not needed
 * for the first picture comes by `dynamic()`; raise a number only where that can't be.
 */
export const MOST_KB: Readonly<Record<string, number>> = {
  '/_global-error': 137,
  '/_not-found': 168,
  '/_': 177,
  '/confirm-verification/[token]': 179,
  '/verify': 190,
  '/login/callback': 210,
  '/confirm-email-change/[token]': 227,
  '/confirm-password-reset/[token]': 229,
  '/forgot-password': 229,
  '/login': 230,
  '/first-steps': 230,
  '/': 244,
  '/[...rest]': 244,
  '/api-reference': 244,
  '/settings': 248,
  '/profile': 248,
  '/user/[userId]': 252,
  '/group/[groupId]': 254,
  '/network/[networkId]': 254,
  '/volume/[volumeId]': 254,
  '/domain/[domainId]': 252,
  '/file/[fileId]': 254,
  '/host/[hostId]': 254,
  '/image/[imageId]': 256,
  '/workspace/[workspaceId]/attach': 260,
  '/workspace/[workspaceId]/exec': 260,
  '/workspace/[workspaceId]/files': 262,
  '/workspace/[workspaceId]': 262,
  '/audit': 265,
  '/networks': 265,
  '/volumes': 265,
  '/domains': 265,
  '/files': 265,
  '/hosts': 266,
  '/users': 267,
  '/groups': 265,
  '/workspaces/templates': 268,
  '/images/templates': 267,
  '/templates': 267,
  '/images': 269,
  '/workspaces': 274,
  '/workspace/[workspaceId]/logs': 280,
  '/workspaces/logs': 277,
  '/networks/create': 300,
  '/domains/create': 300,
  '/files/create': 300,
  '/users/create': 301,
  '/groups/create': 300,
  '/volumes/create': 302,
  '/images/create': 309,
  '/images/templates/create': 309,
  '/workspaces/create': 318,
  '/workspaces/templates/create': 318,
};

interface Manifest {
  entryJSFiles: Record<string, string[]>;
}

/** The JavaScript of each page's first load in KB of gzip, by its address, as the build's own lists have it. */
export function pageWeights(): Map<string, number> {
  const { rootMainFiles } = JSON.parse(fs.readFileSync(path.join(BUILT, 'build-manifest.json'), 'utf8')) as {
    rootMainFiles: string[];
  };
  const sizes = new Map<string, number>();
  const sizeOf = (file: string): number => {
    const known = sizes.get(file) ?? gzipSync(fs.readFileSync(path.join(BUILT, file))).length;
    sizes.set(file, known);
    return known;
  };
  const weights = new Map<string, number>();
  for (const [page, { entryJSFiles }] of pageManifests()) {
    const files = new Set([...rootMainFiles, ...Object.values(entryJSFiles).flat()]);
    const bytes = [...files].reduce((sum, file) => sum + sizeOf(file), 0);
    weights.set(addressOf(page), bytes / 1024);
  }
  return weights;
}

/** The list that Next writes of a page's files: a script that sets a global. */
function pageManifests(): [string, Manifest][] {
  const folder = path.join(BUILT, 'server/app');
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('page_client-reference-manifest.js'))
    .flatMap((file) => {
      const scope: { __RSC_MANIFEST?: Record<string, Manifest> } = {};
      vm.runInNewContext(fs.readFileSync(path.join(folder, file), 'utf8'), { globalThis: scope });
      return Object.entries(scope.__RSC_MANIFEST ?? {});
    });
}

/** `/(console)/workspaces/page` is served at `/workspaces`. */
function addressOf(page: string): string {
  const parts = page.split('/').filter((part) => part !== '' && !part.startsWith('('));
  return `/${parts.slice(0, -1).join('/')}`;
}

/** What every page loads before it stands, against its budget. Needs the build alone. */
export function benchWeight(): void {
  for (const [page, weight] of [...pageWeights()].sort(([, a], [, b]) => a - b)) {
    const most = MOST_KB[page];
    report(page, `${weight.toFixed(0)} KB`, most === undefined ? 'a budget' : `at most ${most}`, weight <= (most ?? 0));
  }
}
