import path from 'node:path';
import { AllowedSources } from '../../lib/protocol/allowed-sources';
import type { JobLogRequest } from '../../lib/protocol/calls';
import type { AgentClock } from '../clock';
import { type ConsoleClient, ConsoleRefusalError } from '../console/console-client';
import type { Reporter } from '../console/reporter';
import type { Engine } from '../engines/engine';
import { toMessage } from '../engines/engine-error';
import type { AgentLog } from '../log';
import type { ProxySettings } from '../outbound-proxy';
import { BuildFiles } from './build-files';
import { openWeb } from './fetch-web';
import { createLockSender } from './hand-in-lock';
import { JobLog } from './job-log';
import type { JobJournal } from './journal';
import { JobRunner } from './runner';

interface JobParts {
  config: {
    stateDir: string;
    proxy?: ProxySettings | undefined;
    allowedSources?: string[] | undefined;
    log: AgentLog;
  };
  client: ConsoleClient;
  clock: AgentClock;
  engine: Engine;
  hostId: string;
  journal: JobJournal;
  reporter: Reporter;
  stopping: AbortController;
}

/** The runner of a host's jobs, with their logs on their way to the console and the files that builds ask for. */
export function createJobRunner(parts: JobParts): JobRunner {
  const { config, client, clock, engine, hostId, journal, reporter, stopping } = parts;
  const { log } = config;
  const createLog = (jobId: string): JobLog => {
    const jobLog = new JobLog({
      send: (chunks) => sendJobLog(client, { jobId, chunks, signal: stopping.signal }),
      random: () => clock.random(),
      onError: (error) => log.debug({ jobId, error: toMessage(error) }, 'A part of a job log was not taken'),
    });
    stopping.signal.addEventListener('abort', () => jobLog.stop(), { once: true });
    return jobLog;
  };
  const onEvent = reporter.takeJob.bind(reporter);
  const files = createBuildFiles(config, client);
  const sendLock = createLockSender(client, { clock, signal: stopping.signal });
  return new JobRunner({ engine, hostId, journal, clock, log, files, sendLock, createLog, onEvent });
}

function createBuildFiles(
  { stateDir, proxy = {}, allowedSources = [], log }: JobParts['config'],
  client: ConsoleClient,
): BuildFiles {
  const sources = new AllowedSources(allowedSources);
  const files = new BuildFiles({
    folder: path.join(stateDir, 'builds'),
    openUpload: (jobId, file, signal) => client.jobFile(jobId, file, signal),
    openWeb: (url, signal) => openWeb(url, { sources, proxy, signal }),
  });
  files.clear((error) => log.warn({ error: toMessage(error) }, 'Files of former builds were left behind'));
  return files;
}

interface JobLogPart {
  jobId: string;
  chunks: JobLogRequest['chunks'];
  signal: AbortSignal;
}

/** Chunks that the console will never take, since it dropped the job, count as taken. */
async function sendJobLog(client: ConsoleClient, { jobId, chunks, signal }: JobLogPart): Promise<number> {
  try {
    return await client.jobLog(jobId, { chunks }, signal);
  } catch (error) {
    if (error instanceof ConsoleRefusalError && error.isHopeless) return chunks.at(-1)?.sequence ?? 0;
    throw error;
  }
}
