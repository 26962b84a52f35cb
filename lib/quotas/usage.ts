import 'server-only';
import { prepare } from '@/lib/records/statements';
import { singleton } from '@/lib/singleton';
import type { QuotaAmount } from '@/lib/vocabulary/quota';

/** What somebody has of each amount, and what of it can't be counted. */
export interface Usage extends Record<QuotaAmount, number> {
  /** Running workspaces without a limit, which may take all that the host has. */
  unboundedCpus: number;
  unboundedMemory: number;
  /** Volumes that were never measured, or not to their end. */
  unmeasuredVolumes: number;
}

/**
 * Runs, or may: a host was asked to run it and has not said that it is down. One that failed counts until it is stopped, as
 * its container may be there.
 */
const RUNS =
  "(w.status NOT IN ('', 'stopped', 'error') OR json_extract(d.spec, '$.state') = 'running' " +
  "OR (w.status = 'error' AND d.object_id IS NOT NULL))";

const countOfGpus = (json: string) =>
  `coalesce(json_extract(${json}, '$.count'), json_array_length(${json}, '$.uuids'), 0)`;

/** The larger of what the record asks for and what the host was asked to run: an edit counts before it is deployed, and until. */
const largerLimit = (column: string, inSpec: string, ofHost: string) =>
  `max(coalesce(nullif(w.${column}, 0), json_extract(h.isolation, '$.${ofHost}'), 0), ` +
  `coalesce(json_extract(d.spec, '$.${inSpec}'), 0))`;

const sumsOf = (which: string) => `
  SELECT total(template = 0) AS workspaces, total(runs) AS running,
    total(CASE WHEN runs THEN cpus END) AS cpus, total(CASE WHEN runs THEN memory END) AS memoryBytes,
    total(CASE WHEN runs THEN gpus END) AS gpus,
    total(runs AND cpus = 0) AS unboundedCpus, total(runs AND memory = 0) AS unboundedMemory
  FROM (
    SELECT w.template, ${RUNS} AS runs,
      ${largerLimit('cpu_limit', 'cpuLimit', 'cpuLimit')} AS cpus,
      ${largerLimit('memory_limit', 'memoryLimitBytes', 'memoryLimit')} AS memory,
      max(${countOfGpus('w.gpus')}, ${countOfGpus("json_extract(d.spec, '$.gpus')")}) AS gpus
    FROM workspaces w LEFT JOIN hosts h ON h.id = w.host
      LEFT JOIN desired_objects d ON d.host_id = w.host AND d.kind = 'workspace' AND d.object_id = w.id
    WHERE ${which} AND (w.template = 0 OR ${RUNS})
  )`;

const OF_VOLUMES = 'SELECT total(size_bytes) FROM volumes WHERE created_by = @owner';
const UNMEASURED =
  "SELECT count(*) FROM volumes WHERE created_by = @owner AND (size_is_least OR (sized_at = '' AND status = 'created'))";
/** What is being restored may be more than there was. */
const OF_BACKUPS =
  "SELECT total(b.size_bytes + (b.restore_status = 'running') * max(0, b.tar_bytes - v.size_bytes)) " +
  'FROM volumes v JOIN volume_backups b ON b.volume = v.id WHERE v.created_by = @owner';

const OF_OWNER = `
  SELECT sums.*, (${OF_VOLUMES}) + (${OF_BACKUPS}) AS storageBytes, (${UNMEASURED}) AS unmeasuredVolumes
  FROM (${sumsOf('w.created_by = @owner AND w.id IS NOT @except')}) sums`;

const OF_ONE = `SELECT sums.*, 0 AS storageBytes, 0 AS unmeasuredVolumes FROM (${sumsOf('w.id = ?')}) sums`;

/** What a person has, by one statement; without one workspace where that is named. */
export function usageOf(ownerId: string, except = ''): Usage {
  const usage = prepare<Usage>(OF_OWNER).get({ owner: ownerId, except })!;
  return { ...usage, storageBytes: usage.storageBytes + (onTheirWay.get(ownerId) ?? 0) };
}

/** What one workspace takes; nothing where it is a template that does not run, or not there. */
export function usageOfWorkspace(id: string): Usage {
  return prepare<Usage>(OF_ONE).get(id)!;
}

const onTheirWay = singleton('storage-on-its-way', () => new Map<string, number>());

/** Counts bytes that are on their way to a volume of somebody until the returned function is called. */
export function holdStorage(ownerId: string, bytes: number): () => void {
  const add = (change: number) => {
    const sum = (onTheirWay.get(ownerId) ?? 0) + change;
    if (sum > 0) onTheirWay.set(ownerId, sum);
    else onTheirWay.delete(ownerId);
  };
  add(bytes);
  let isHeld = true;
  return () => {
    if (isHeld) add(-bytes);
    isHeld = false;
  };
}
