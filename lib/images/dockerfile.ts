import { type DockerfileProblem, type Instruction, readInstructions } from '@/lib/protocol/dockerfile';

const INSTRUCTIONS = new Set([
  'ADD',
  'ARG',
  'CMD',
  'COPY',
  'ENTRYPOINT',
  'ENV',
  'EXPOSE',
  'FROM',
  'HEALTHCHECK',
  'LABEL',
  'MAINTAINER',
  'ONBUILD',
  'RUN',
  'SHELL',
  'STOPSIGNAL',
  'USER',
  'VOLUME',
  'WORKDIR',
]);

/** The first thing in a Dockerfile that no engine builds; undefined when it reads well. */
export function checkDockerfile(source: string): DockerfileProblem | undefined {
  const instructions = readDockerfile(source);
  return 'message' in instructions ? instructions : undefined;
}

/** The instructions of a Dockerfile that engines build, or the first thing that none does. */
export function readDockerfile(source: string): Instruction[] | DockerfileProblem {
  const instructions = readInstructions(source);
  if ('message' in instructions) return instructions;
  for (const { line, word, rest } of instructions) {
    if (!INSTRUCTIONS.has(word)) return { line, message: `Line ${line}: unknown instruction ${word}.` };
    if (rest === '') return { line, message: `Line ${line}: ${word} needs an argument.` };
  }
  const first = instructions.find(({ word }) => word !== 'ARG');
  if (!first) return { line: 1, message: 'Line 1: a Dockerfile needs a FROM instruction.' };
  if (first.word !== 'FROM') {
    return { line: first.line, message: `Line ${first.line}: the first instruction must be FROM (or ARG before it).` };
  }
  return instructions;
}
