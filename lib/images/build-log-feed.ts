import 'server-only';
import { singleton } from '@/lib/singleton';

/** Who follows which build. Followers are only told that there is more: they read it themselves, at their own pace. */
const followers = singleton('build-log-followers', () => new Map<string, Set<() => void>>());

/** Calls `onNews` after each commit that adds to a build's log or changes its status; returns how to stop. */
export function followBuild(buildId: string, onNews: () => void): () => void {
  let ofBuild = followers.get(buildId);
  if (!ofBuild) followers.set(buildId, (ofBuild = new Set()));
  ofBuild.add(onNews);
  return () => {
    ofBuild.delete(onNews);
    if (ofBuild.size === 0) followers.delete(buildId);
  };
}

export function tellBuildFollowers(buildId: string): void {
  for (const onNews of [...(followers.get(buildId) ?? [])]) onNews();
}
