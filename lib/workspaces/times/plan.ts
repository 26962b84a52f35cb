import type { workspacesTable } from '@/db/schema/workspaces';
import { toWireDate } from '@/lib/clock';
import type { RowOf } from '@/lib/records/collection';
import { timeLimits } from '@/lib/vocabulary/time-limits';
import {
  deletionLeads,
  type WorkspaceSchedule,
  workspaceScheduleSchema,
  warnMs,
} from '@/lib/vocabulary/workspace-times';
import { timesAround, type WeeklyTime } from '@/lib/vocabulary/zoned-time';

type Row = RowOf<typeof workspacesTable>;
type Change = Partial<Row>;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Later than that, a deletion counts as one that nobody was told of: the console was away, or its clock is wrong. */
const DELETE_WINDOW_MS = 60 * MINUTE_MS;
/** So long after its time a start waits for room in its owner's quota, which a stop may be about to make. */
const NO_ROOM_WINDOW_MS = 15 * MINUTE_MS;
/** So much is remembered by every host that was there for so long. */
const REMEMBERED_SECONDS = 23 * 3600;
/** Use is looked at this often while a stop is near, or nothing is known. */
const LOOK_MS = MINUTE_MS;
/** And this often otherwise: hosts remember a day. */
const LOOK_RARELY_MS = 10 * MINUTE_MS;

export function msOf(wireDate: string): number {
  return wireDate === '' ? 0 : Date.parse(wireDate.replace(' ', 'T'));
}

/** Whether its use decides how long it goes on. */
export function isGoing({ template, desired, status }: Row): boolean {
  return !template && desired === 'running' && status === 'running';
}

/** Whether its host's maintenance stopped it: people did not, and may not be able to start it. */
export function isDrained({ drain }: Pick<Row, 'drain'>): boolean {
  return drain === 'stopped' || drain === 'start' || drain === 'leave';
}

/** Whether it lies there stopped, as it was asked to. */
export function isResting(row: Row): boolean {
  return !row.template && !isDrained(row) && isAtRest(row);
}

/** The same, of templates too. */
export function isAtRest({ desired, status }: Row): boolean {
  return (desired || 'stopped') === 'stopped' && (status || 'stopped') === 'stopped';
}

export function scheduleOf({ template, schedule }: Row): WorkspaceSchedule | undefined {
  return template ? undefined : workspaceScheduleSchema.safeParse(schedule).data;
}

export function isKept({ keptUntil }: Row, nowMs: number): boolean {
  return msOf(keptUntil) > nowMs;
}

/** What a field refuses reads as nothing here: a change is planned before its fields are looked at. */
const within = (value: number, max: number): number => (value > 0 && value <= max ? value : 0);
const minutesOf = ({ idleMinutes }: Row): number => within(idleMinutes, timeLimits.idleMinutesMax);
const daysOf = ({ deleteAfterDays }: Row): number => within(deleteAfterDays, timeLimits.deleteDaysMax);

/** What the clock has to be told once people have changed a record, or made one. */
export function afterEdit(before: Row | undefined, row: Row, nowMs: number): Change {
  const change: Change = {};
  const isReal = before?.template !== row.template;
  if (isReal || JSON.stringify(before?.schedule ?? null) !== JSON.stringify(row.schedule ?? null)) {
    const schedule = scheduleOf(row);
    change.nextStartAt = nextOf(schedule?.start, schedule, nowMs);
    change.nextStopAt = nextOf(schedule?.stop, schedule, nowMs);
  }
  if (isReal || before?.idleMinutes !== row.idleMinutes) Object.assign(change, freshLook({ ...row, ...change }, nowMs));
  const isHandedBack = before !== undefined && isDrained(before) && !isDrained(row);
  if (isReal || isHandedBack || before?.deleteAfterDays !== row.deleteAfterDays)
    Object.assign(change, freshDeletion(row, nowMs));
  return withNext(row, change);
}

/** The same once its state has moved. */
export function afterMove(before: Row, row: Row, nowMs: number): Change {
  const change: Change = {};
  if (isGoing(before) !== isGoing(row)) Object.assign(change, freshLook(row, nowMs));
  if (isResting(before) !== isResting(row)) Object.assign(change, freshDeletion(row, nowMs));
  return Object.keys(change).length === 0 ? change : withNext(row, change);
}

/** Nothing stops or deletes it by the clock before that moment; empty takes that back. */
export function afterKeep(row: Row, keptUntil: string, nowMs: number): Change {
  const change: Change = { keptUntil, warnedAt: '', stopsAt: '' };
  change.lookAt = lookTime({ ...row, ...change }, nowMs);
  const { deletesAt } = deletionOf({ ...row, ...change });
  if (deletesAt !== row.deletesAt) change.deleteAnnounced = 0;
  return withNext(row, change);
}

/** Its host's maintenance has nothing more to do with it. */
export function afterDrain(row: Row, nowMs: number): Change {
  const change: Change = { drain: '' };
  if (!isDrained(row)) return change;
  return withNext(row, { ...change, ...freshDeletion({ ...row, ...change }, nowMs) });
}

/** Counts the time without use anew. */
function freshLook(row: Row, nowMs: number): Change {
  const change: Change = { quietSince: '', quietSeenAt: '', warnedAt: '', stopsAt: '' };
  return { ...change, lookAt: lookTime({ ...row, ...change }, nowMs) };
}

/** Counts its days anew: nobody could have started it now. */
export function afterClosed(row: Row, nowMs: number): Change {
  return withNext(row, freshDeletion(row, nowMs));
}

/** Counts the days until it is deleted anew. */
function freshDeletion(row: Row, nowMs: number): Change {
  const counts = isResting(row) && daysOf(row) > 0;
  return { deleteFrom: counts ? toWireDate(nowMs) : '', deleteAnnounced: 0 };
}

/** When its use is looked at next; empty where that stops nothing. */
function lookTime(row: Row, nowMs: number): string {
  const idleMinutes = minutesOf(row);
  if (!isGoing(row) || idleMinutes === 0) return '';
  if (isKept(row, nowMs)) return row.keptUntil;
  const stopsMs = row.warnedAt === '' ? 0 : msOf(row.stopsAt);
  if (row.warnedAt !== '') return toWireDate(Math.min(nowMs + LOOK_MS, stopsMs > nowMs ? stopsMs : Infinity));
  const quietMs = msOf(row.quietSince) || nowMs;
  const warnAt = quietMs + idleMinutes * MINUTE_MS - warnMs(idleMinutes);
  return toWireDate(Math.min(Math.max(warnAt, nowMs + LOOK_MS), nowMs + LOOK_RARELY_MS));
}

export type Seen = { change: Change; then?: 'warn' | 'stop' };

/**
 * What follows from a look at its use: `quietSeconds` for which its host knows it not to be in use, undefined where the host
 * can't tell. What nobody can tell counts as use, and nothing is stopped that was not announced.
 */
export function afterLook(row: Row, quietSeconds: number | undefined, nowMs: number): Seen {
  const next = (change: Change, then?: Seen['then']): Seen => {
    const after = { ...row, ...change };
    return { change: withNext(row, { ...change, lookAt: lookTime(after, nowMs) }), ...(then && { then }) };
  };
  if (!isGoing(row) || row.idleMinutes <= 0 || isKept(row, nowMs)) return next({ warnedAt: '', stopsAt: '' });
  if (quietSeconds === undefined) {
    const lookAt = toWireDate(nowMs + (row.warnedAt === '' ? LOOK_RARELY_MS : LOOK_MS));
    return { change: withNext(row, { warnedAt: '', stopsAt: '', lookAt }) };
  }
  const quietMs = quietSince(row, quietSeconds, nowMs);
  const idleMs = row.idleMinutes * MINUTE_MS;
  const seen = { quietSince: toWireDate(quietMs), quietSeenAt: toWireDate(nowMs) };
  const warnAt = quietMs + idleMs - warnMs(row.idleMinutes);
  if (nowMs < warnAt) return next({ ...seen, warnedAt: '', stopsAt: toWireDate(quietMs + idleMs) });
  // Warned of another time without use, nobody was warned of this one.
  if (row.warnedAt === '' || quietMs > msOf(row.warnedAt)) {
    const stopsAt = toWireDate(Math.max(quietMs + idleMs, nowMs + warnMs(row.idleMinutes)));
    return next({ ...seen, warnedAt: toWireDate(nowMs), stopsAt }, 'warn');
  }
  return nowMs < msOf(row.stopsAt) ? next(seen) : next(seen, 'stop');
}

/** Hosts remember a day: what was quiet before, and has been since the last look, is quiet for longer. */
function quietSince(row: Row, quietSeconds: number, nowMs: number): number {
  const told = nowMs - quietSeconds * 1000;
  const isAllOfIt = quietSeconds >= REMEMBERED_SECONDS && row.quietSince !== '';
  const isOneTime = isAllOfIt && told <= msOf(row.quietSeenAt);
  return Math.max(isOneTime ? Math.min(told, msOf(row.quietSince)) : told, msOf(row.statusSince));
}

/** What a schedule has to do now, as things are: the last that it asked for, where that is not too long ago. */
export interface Due {
  action: 'start' | 'stop';
  /** When it should have been. */
  atMs: number;
}

/**
 * What is due of the schedule, and the times that come next. Where both a start and a stop were missed the later one counts;
 * a stop that falls into a time for which the workspace is kept follows at its end.
 */
export function takeSchedule(row: Row, nowMs: number): { due?: Due; change: Change } {
  const schedule = scheduleOf(row);
  if (!schedule) return { change: withNext(row, { nextStartAt: '', nextStopAt: '' }) };
  const found: Due[] = [];
  const change: Change = {};
  const startMs = lastDue(schedule.start, schedule, { since: row.nextStartAt, nowMs });
  if (startMs !== undefined) {
    found.push({ action: 'start', atMs: startMs });
    change.nextStartAt = nextOf(schedule.start, schedule, nowMs);
  }
  const stopMs = lastDue(schedule.stop, schedule, { since: row.nextStopAt, nowMs });
  const isHeld = isKept(row, nowMs);
  // Held off, it is over once the next start has come.
  if (stopMs !== undefined && (!isHeld || (startMs ?? 0) > stopMs)) {
    found.push({ action: 'stop', atMs: stopMs });
    change.nextStopAt = nextOf(schedule.stop, schedule, nowMs);
  }
  const due = found.sort((one, other) => one.atMs - other.atMs).at(-1);
  if (due?.action === 'stop') due.atMs = Math.max(due.atMs, Math.min(msOf(row.keptUntil), nowMs));
  return { ...(due && { due }), change: withNext(row, change) };
}

function lastDue(
  time: WeeklyTime | null,
  { timeZone }: WorkspaceSchedule,
  { since, nowMs }: { since: string; nowMs: number },
): number | undefined {
  if (!time || since === '' || msOf(since) > nowMs) return undefined;
  const lastMs = timesAround(time, timeZone, nowMs)?.last ?? 0;
  // What waits for room is still due of its own time.
  return msOf(since) <= lastMs + NO_ROOM_WINDOW_MS + MINUTE_MS ? lastMs : msOf(since);
}

/** Has a start that found no room be tried again soon; undefined once it was for long enough. */
export function afterNoRoom(row: Row, nowMs: number): Change | undefined {
  const schedule = scheduleOf(row);
  const around = schedule?.start && timesAround(schedule.start, schedule.timeZone, nowMs);
  if (!around || nowMs - around.last >= NO_ROOM_WINDOW_MS) return undefined;
  return withNext(row, { nextStartAt: toWireDate(Math.min(nowMs + MINUTE_MS, around.next)) });
}

function nextOf(time: WeeklyTime | null | undefined, schedule: WorkspaceSchedule | undefined, nowMs: number): string {
  const around = time && schedule && timesAround(time, schedule.timeZone, nowMs);
  return around ? toWireDate(around.next) : '';
}

/** What is to be done about its deletion now: `announce` it for a moment, or do it. */
export function takeDeletion(row: Row, nowMs: number): { change: Change; then?: 'announce' | 'delete' } {
  const { deletesAt, leadMs } = deletionOf(row);
  if (deletesAt === '' || !isResting(row)) return { change: withNext(row, {}) };
  if (nowMs < msOf(deletesAt) - leadMs) return { change: withNext(row, {}) };
  const isOver = nowMs > msOf(deletesAt) + DELETE_WINDOW_MS;
  if (leadMs === 0 && !isOver) return { change: withNext(row, {}), then: 'delete' };
  const leads = deletionLeads(row.deleteAfterDays);
  const lead = leads.findLast((each) => nowMs >= msOf(deletesAt) - each) ?? leadMs;
  // Told late, it happens later: the last time to hear of it is never shorter.
  const isLate = lead === leads.at(-1) && nowMs + lead > msOf(deletesAt);
  const moved = isLate ? { deleteFrom: toWireDate(nowMs + lead - row.deleteAfterDays * DAY_MS) } : {};
  return { change: withNext(row, { ...moved, deleteAnnounced: lead }), then: 'announce' };
}

/** When it is deleted, and how long before that there is something to do next: 0 for the deletion itself. */
function deletionOf(row: Row): { deletesAt: string; leadMs: number } {
  const days = daysOf(row);
  if (row.deleteFrom === '' || days === 0) return { deletesAt: '', leadMs: 0 };
  const ms = Math.max(msOf(row.deleteFrom) + days * DAY_MS, msOf(row.keptUntil));
  const { deleteAnnounced } = row;
  const leadMs = deletionLeads(days).find((lead) => deleteAnnounced === 0 || lead < deleteAnnounced);
  return { deletesAt: toWireDate(ms), leadMs: leadMs ?? 0 };
}

/** The change together with when the clock has something to do next. */
function withNext(row: Row, change: Change): Change {
  const after = { ...row, ...change };
  const { deletesAt, leadMs } = deletionOf(after);
  const milestone = deletesAt === '' ? '' : toWireDate(msOf(deletesAt) - leadMs);
  const stop = after.nextStopAt !== '' && after.keptUntil > after.nextStopAt ? after.keptUntil : after.nextStopAt;
  const times = [after.lookAt, after.nextStartAt, stop, milestone].filter((time) => time !== '');
  return { ...change, deletesAt, nextTimeAt: times.sort()[0] ?? '' };
}
