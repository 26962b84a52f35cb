import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, open, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { isContained } from '../contained';
import { toMessage } from '../engines/engine-error';
import { type Check, failed, type Found, ok, skipped, warning } from './check';
import { readRoom } from './room';
import type { Patient } from './patient';

const TIGHT_BYTES = 200e6;
/** Where a proxy like Traefik listens. */
const WEB_PORTS = [80, 443];

/** Folders and ports of the machine. */
export function machineChecks({ stateDir, bindRoots }: Patient): Check[] {
  return [
    { name: 'State folder', look: () => lookAtStateFolder(stateDir) },
    { name: 'Folders for volumes', look: () => lookAtBindRoots(bindRoots) },
    { name: 'Ports 80 and 443', look: () => lookAtWebPorts() },
  ];
}

/** A file is really written and brought to the disk. */
async function lookAtStateFolder(folder: string): Promise<Found> {
  const probe = path.join(folder, `.doctor-${randomUUID()}`);
  try {
    const file = await open(probe, 'wx');
    try {
      await file.write('written to see whether it can be');
      await file.sync();
    } finally {
      await file.close();
      await rm(probe, { force: true });
    }
  } catch (error) {
    const cure = 'Give the agent a folder that it may write, with room on its disk (BERTH_AGENT_STATE_DIR).';
    return failed(`${folder} can't be written: ${toMessage(error)}`, cure);
  }
  const room = await readRoom(folder);
  const words = `${folder} can be written${room ? `; its disk has ${room.text}` : ''}.`;
  if (room && room.freeBytes < TIGHT_BYTES) return warning(words, 'Make room on that disk.');
  return ok(words);
}

async function lookAtBindRoots(roots: string[]): Promise<Found> {
  if (roots.length === 0) return skipped('BERTH_BIND_ROOTS is not set: volumes are never folders of this machine.');
  const problems = (await Promise.all(roots.map(problemOf))).filter((problem) => problem !== '');
  if (problems.length === 0) return ok(`${roots.join(', ')} can be used.`);
  const cure =
    'Make the folder, give the agent the right to write it, and mount it into the agent where that runs in a container.';
  return failed(problems.join(' '), cure);
}

async function problemOf(root: string): Promise<string> {
  try {
    if (!(await stat(root)).isDirectory()) return `${root} is no folder.`;
    await access(root, constants.R_OK | constants.W_OK | constants.X_OK);
    return '';
  } catch (error) {
    return `${root}: ${toMessage(error)}.`;
  }
}

async function lookAtWebPorts(): Promise<Found> {
  if (await isContained()) return skipped('The agent runs in a container and does not see the ports of the machine.');
  const states = await Promise.all(WEB_PORTS.map(async (port) => ({ port, problem: await tryPort(port) })));
  const taken = states.filter(({ problem }) => problem === 'EADDRINUSE').map(({ port }) => port);
  if (taken.length > 0) return ok(`Taken, by a proxy or another program: ${taken.join(' and ')}.`);
  if (states.some(({ problem }) => problem !== ''))
    return skipped('Only root may listen there, and the agent is not root.');
  return ok('Both are free, for a proxy to come.');
}

/** Whether somebody could listen on a port of this machine now; the system's word for why not, or empty. */
function tryPort(port: number): Promise<string> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, exclusive: true }, () => server.close(() => resolve('')));
  });
}
