// Runs in a container of its own that sees one volume and nothing else of the host, with the agent's own Node and no packages.
// A question is a JSON line on the input, its answer one on the output. The end of the input, which comes with the agent's
// own end, is the end of this: what was half done goes first.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { lstat, mkdir, opendir, realpath, rename, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = '/volume';
/** Names in the volume's own root that are nobody's files: shown to nobody, and gone when what they are for is over. */
const OWN = /^\.berth-(arriving|leaving|restore|trash)-[0-9a-f]{16}$/;
/** Another helper may be at work in the same folder. */
const LEFT_AFTER_MS = 3_600_000;
const SWAP_MS = 10_000;
const LIST_ENTRIES = 20_000;
const LIST_BYTES = 3 * 1024 * 1024;
const MEASURE_MS = 20_000;
const KINDS = { 0o100000: 'file', 0o040000: 'folder', 0o120000: 'link', 0o060000: 'device', 0o020000: 'device' };

class Refusal extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

const nameOwn = (what) => path.join(ROOT, `.berth-${what}-${randomBytes(8).toString('hex')}`);
const inVolume = (place) => place.slice(ROOT.length) || '/';

function placeOf(asked) {
  const place = path.join(ROOT, path.normalize(`/${asked}`)).replace(/(?<=.)\/$/, '');
  if (OWN.test(place.slice(ROOT.length + 1).split('/')[0])) throw new Refusal('missing', `There is no ${asked}.`);
  return place;
}

const ifThere = (work) =>
  work.catch((error) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    if (error.code === 'ELOOP') throw new Refusal('invalid', 'Its links go round in a circle.');
    if (error.code === 'ENAMETOOLONG') throw new Refusal('invalid', 'The path is too long.');
    throw error;
  });

/** Where a path leads to, its links followed; null where there is nothing. A link that leads nowhere is itself. */
async function findPlace(asked) {
  const place = placeOf(asked);
  const real = await ifThere(realpath(place));
  if (real !== null) {
    if (real === ROOT || real.startsWith(`${ROOT}/`)) return real;
    throw new Refusal('invalid', `${asked} leads out of the volume.`);
  }
  const own = await placeItself(asked).catch(() => null);
  return own && (await ifThere(lstat(own))) ? own : null;
}

/** The path itself: links on the way are followed, the last part is not. */
async function placeItself(asked) {
  const place = placeOf(asked);
  if (place === ROOT) return ROOT;
  const folder = await findPlace(inVolume(path.dirname(place)));
  if (folder === null) throw new Refusal('missing', `There is no ${asked}.`);
  return path.join(folder, path.basename(place));
}

async function requireItself(asked) {
  const place = await placeItself(asked);
  if (place === ROOT) throw new Refusal('invalid', 'The volume itself stays.');
  if (!(await ifThere(lstat(place)))) throw new Refusal('missing', `There is no ${asked}.`);
  return place;
}

async function requireFree(place) {
  if (OWN.test(place.slice(ROOT.length + 1))) throw new Refusal('invalid', 'Berth keeps names like this for itself.');
  if (await ifThere(lstat(place))) throw new Refusal('exists', `There is a ${path.basename(place)} already.`);
}

function factsOf({ mode, size, mtimeMs }) {
  const kind = KINDS[mode & 0o170000] ?? 'other';
  return { kind, size: kind === 'file' ? size : 0, changed: Math.floor(mtimeMs / 1000) };
}

async function find({ path: asked }) {
  const place = await findPlace(asked);
  return place && { path: inVolume(place), ...factsOf(await lstat(place)) };
}

function toEntry(folder, bytes) {
  const name = bytes.toString('utf8');
  const isNameWhole = Buffer.from(name, 'utf8').equals(bytes);
  const found = fs.lstatSync(Buffer.concat([folder, bytes]), { throwIfNoEntry: false });
  return found && { name, isNameWhole, ...factsOf(found) };
}

async function list({ path: asked }) {
  const place = await findPlace(asked);
  if (place === null) throw new Refusal('missing', `There is no ${asked}.`);
  const folder = Buffer.from(`${place}/`);
  const entries = [];
  let bytes = 0;
  for await (const { name } of await opendir(place, { encoding: 'buffer', bufferSize: 256 })) {
    if (place === ROOT && OWN.test(name.toString('latin1'))) continue;
    const entry = toEntry(folder, name);
    if (!entry) continue;
    bytes += name.length * 2 + 100;
    if (entries.length >= LIST_ENTRIES || bytes > LIST_BYTES) return { entries, isWhole: false };
    entries.push(entry);
  }
  return { entries, isWhole: true };
}

async function makeFolder({ path: asked, name }) {
  const folder = await findPlace(asked);
  if (folder === null) throw new Refusal('missing', `There is no ${asked}.`);
  const place = path.join(folder, name);
  await requireFree(place);
  await mkdir(place, { mode: 0o755 });
  const { uid, gid } = await lstat(folder);
  fs.lchownSync(place, uid, gid);
}

async function move({ path: asked, to }) {
  const from = await requireItself(asked);
  const place = await placeItself(to);
  if (place.startsWith(`${from}/`)) throw new Refusal('invalid', 'A folder can’t be moved into itself.');
  if (place === from) return;
  await requireFree(place);
  await rename(from, place);
}

/** Gone at once, however much it is: what takes time is done out of sight. */
async function remove({ path: asked }) {
  const place = await requireItself(asked);
  const trash = nameOwn('trash');
  await mkdir(trash, { mode: 0o700 });
  await rename(place, path.join(trash, 'gone')).catch((error) => {
    fs.rmdirSync(trash);
    throw error;
  });
  // A file's room is wanted at once, by whoever is told that it is gone.
  const emptied = rm(trash, { recursive: true, force: true }).catch(() => undefined);
  await Promise.race([emptied, new Promise((resolve) => setTimeout(resolve, 2000))]);
}

/** Bytes on the disk; a file with several names counts once. */
async function measure() {
  const deadline = Date.now() + MEASURE_MS;
  const linked = new Set();
  const waiting = [Buffer.from(ROOT)];
  let sizeBytes = 0;
  while (waiting.length > 0) {
    const folder = waiting.pop();
    const opened = await ifThere(opendir(folder, { encoding: 'buffer', bufferSize: 256 }));
    for await (const { name } of opened ?? []) {
      if (Date.now() > deadline) return { sizeBytes, isWhole: false };
      const place = Buffer.concat([folder, Buffer.from('/'), name]);
      const found = fs.lstatSync(place, { throwIfNoEntry: false });
      if (!found) continue;
      if (found.isDirectory()) waiting.push(place);
      else if (found.nlink > 1 && linked.size === linked.add(`${found.dev}:${found.ino}`).size) continue;
      sizeBytes += found.blocks * 512;
    }
  }
  return { sizeBytes, isWhole: true };
}

async function room() {
  const { bavail, bsize } = await statfs(ROOT);
  return { freeBytes: bavail * bsize };
}

let staged = '';
/** A place for what is restored, beside what is there. */
async function stage() {
  if (staged !== '') throw new Refusal('busy', 'Something is being restored into this volume already.');
  staged = nameOwn('restore');
  await mkdir(staged, { mode: 0o700 });
  return { path: inVolume(staged) };
}

async function unstage() {
  const place = staged;
  staged = '';
  if (place === '') return;
  // The engine may still be writing what it had read, or begin to, and makes the place anew.
  const clear = () => rm(place, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  for (const ms of [1000, 5000, 20_000]) setTimeout(() => void clear().catch(() => undefined), ms).unref();
  await clear();
}

function moveAll(from, to, done = []) {
  for (const name of fs.readdirSync(from, { encoding: 'buffer' })) {
    if (from === ROOT && OWN.test(name.toString('latin1'))) continue;
    const source = Buffer.concat([Buffer.from(`${from}/`), name]);
    const target = Buffer.concat([Buffer.from(`${to}/`), name]);
    fs.renameSync(source, target);
    done.push([source, target]);
  }
}

/** Into what is staged; names have a byte a character. */
function makeLink({ name, target, uid, gid, mtime }) {
  const place = Buffer.concat([Buffer.from(`${staged}/`), Buffer.from(name, 'latin1')]);
  const folder = place.subarray(0, place.lastIndexOf(47));
  const { atime, mtime: before } = fs.lstatSync(folder);
  fs.symlinkSync(Buffer.from(target, 'latin1'), place);
  fs.lchownSync(place, uid, gid);
  fs.lutimesSync(place, mtime, mtime);
  fs.utimesSync(folder, atime, before);
}

const takeBack = (moved) => moved.reverse().forEach(([source, target]) => fs.renameSync(target, source));

/**
 * What was staged takes the place of what is there, by renames alone and in one turn, so that the agent's end does not come
 * between. Where one of them fails, those before it are taken back. The name of what was there says how far it has come.
 */
async function commit({ root, links }) {
  if (staged === '') throw new Refusal('invalid', 'Nothing is staged.');
  links.forEach(makeLink);
  const [leaving, arriving, trash] = ['leaving', 'arriving', 'trash'].map((what) => staged.replace('restore', what));
  fs.mkdirSync(leaving, { mode: 0o700 });
  const [left, arrived] = [[], []];
  try {
    moveAll(ROOT, leaving, left);
    fs.renameSync(leaving, arriving);
    moveAll(staged, ROOT, arrived);
  } catch (error) {
    takeBack(arrived);
    if (fs.existsSync(arriving)) fs.renameSync(arriving, leaving);
    takeBack(left);
    fs.rmdirSync(leaving);
    throw error;
  }
  fs.renameSync(arriving, trash);
  if (root) {
    fs.chownSync(ROOT, root.uid, root.gid);
    fs.chmodSync(ROOT, root.mode);
  }
  await unstage();
  await rm(trash, { recursive: true, force: true });
  if (root) fs.utimesSync(ROOT, root.mtime, root.mtime);
}

/** A swap that the host's end came between: taken back, or, where all that was there has left, done to its end. */
function endSwap(place) {
  if (place.includes('leaving')) {
    moveAll(place, ROOT);
    return fs.rmdirSync(place);
  }
  const rest = place.replace('arriving', 'restore');
  if (fs.existsSync(rest)) moveAll(rest, ROOT);
  fs.renameSync(place, place.replace('arriving', 'trash'));
}

/** What a helper has left whose host lost its power. */
async function sweep() {
  for (const name of (await fs.promises.readdir(ROOT)).filter((each) => OWN.test(each)).sort()) {
    const place = path.join(ROOT, name);
    const found = await ifThere(lstat(place));
    if (!found?.isDirectory()) continue;
    const ageMs = Date.now() - found.ctimeMs;
    if (/leaving|arriving/.test(name)) {
      if (ageMs > SWAP_MS) endSwap(place);
    } else if (ageMs > LEFT_AFTER_MS) await rm(place, { recursive: true, force: true });
  }
}

const acts = { find, list, makeFolder, move, remove, measure, room, stage, unstage, commit };
const MESSAGES = {
  ENOSPC: 'There is no room left on the disk of the volume.',
  EDQUOT: 'There is no room left for the owner of the files.',
  EROFS: 'The volume can only be read.',
  ENAMETOOLONG: 'The name is too long.',
  EXDEV: 'Part of the volume lies on another disk.',
};

function toRefusal(error) {
  if (error instanceof Refusal) return { code: error.code, message: error.message };
  const code = error.code === 'ENOSPC' || error.code === 'EDQUOT' ? 'full' : 'failed';
  return { code, message: MESSAGES[error.code] ?? error.message };
}

async function answer(line) {
  const { id, act, ...asked } = JSON.parse(line);
  const say = (told) => process.stdout.write(`${JSON.stringify({ id, ...told })}\n`);
  try {
    say({ answer: (await acts[act](asked)) ?? null });
  } catch (error) {
    say({ refused: toRefusal(error) });
  }
}

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => void answer(line));
lines.on('close', () => void unstage().finally(() => process.exit(0)));
// Nobody listens any more: the end of the input says the same.
process.stdout.on('error', () => undefined);
await sweep();
process.stdout.write(`${JSON.stringify({ id: 0, answer: null })}\n`);
