export type StepState = 'running' | 'done' | 'cached' | 'failed' | 'stopped';

export interface BuildStep {
  number: number;
  /** Of the stage that it belongs to; empty outside of stages, and in the only one. */
  stage: string;
  /** As in `2/5`; empty for what the builder does by itself. */
  place: string;
  name: string;
  state: StepState;
  /** Known once it is over, unless it was cached. */
  seconds: number | undefined;
}

/** The steps of a stage, in their order. */
export interface BuildStage {
  name: string;
  steps: BuildStep[];
}

const MOST_STEPS = 2000;
const LINE = /^#(\d{1,5}) (.*)$/;
const IN_STAGE = /^\[(?:([^\]\s]+) )?(\d+\/\d+)\] (.*)$/;

/** Follows the steps of a build by the lines of its log. */
export class BuildSteps {
  private readonly steps = new Map<number, BuildStep>();

  /** Whether the line changed a step. */
  take(line: string): boolean {
    const [, digits = '', text = ''] = LINE.exec(line) ?? [];
    if (digits === '') return false;
    const number = Number(digits);
    const step = this.steps.get(number);
    if (step) return finish(step, text);
    if (this.steps.size >= MOST_STEPS) return false;
    const [, stage = '', place = '', name = text] = IN_STAGE.exec(text) ?? [];
    this.steps.set(number, { number, stage, place, name, state: 'running', seconds: undefined });
    return true;
  }

  /** The build is over: what still ran went as the build did. */
  close(state: 'done' | 'stopped'): void {
    for (const step of this.steps.values()) if (step.state === 'running') step.state = state;
  }

  /** By stage; those of one stage are together, however the builder mixed them. */
  toStages(): BuildStage[] {
    const stages = new Map<string, BuildStep[]>();
    for (const step of this.steps.values()) {
      const steps = stages.get(step.stage) ?? [];
      steps.push({ ...step });
      stages.set(step.stage, steps);
    }
    return [...stages].map(([name, steps]) => ({ name, steps }));
  }
}

function finish(step: BuildStep, text: string): boolean {
  if (step.state !== 'running') return false;
  const [, seconds] = /^DONE (\d+(?:\.\d+)?)s$/.exec(text) ?? [];
  if (seconds !== undefined) Object.assign(step, { state: 'done', seconds: Number(seconds) });
  else if (text === 'CACHED') step.state = 'cached';
  else if (text.startsWith('ERROR: ')) step.state = 'failed';
  return step.state !== 'running';
}
