import { createHash } from 'node:crypto';
import { readInstructions } from '../../../lib/protocol/dockerfile';
import { waitFor } from '../../wait';
import type { BuildRequest, JobOptions } from '../engine';
import { EngineError } from '../engine-error';

export function toImageId(content: string): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

/** Prints what a build of this Dockerfile might print. Throws when it is cancelled. */
export async function writeBuildLog(
  spec: BuildRequest['spec'],
  options: JobOptions & { stepMs: number },
): Promise<void> {
  const { log, signal, stepMs } = options;
  const instructions = readInstructions(spec.dockerfile);
  const steps = Array.isArray(instructions) ? instructions.filter(({ word }) => word !== 'ARG') : [];
  log('Simulated engine: nothing is really built\n');
  for (const [index, step] of steps.entries()) {
    log(`#${index + 1} [${index + 1}/${steps.length}] ${step.word} ${step.rest}\n`);
    await waitFor(stepMs, signal);
    if (signal.aborted) throw new EngineError('cancelled', 'Cancelled');
    log(`#${index + 1} DONE ${(stepMs / 1000).toFixed(1)}s\n\n`);
  }
}

/** The ports that a Dockerfile names. */
export function exposedBy(dockerfile: string): string[] {
  const instructions = readInstructions(dockerfile);
  if (!Array.isArray(instructions)) return [];
  return instructions.filter(({ word }) => word === 'EXPOSE').flatMap(({ rest }) => rest.split(/\s+/));
}
