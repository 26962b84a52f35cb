import type { DoctorReport } from '../../lib/protocol/doctor-streams';
import { examine } from './check';
import { consoleChecks } from './console-checks';
import { engineChecks } from './engine-checks';
import { machineChecks } from './machine-checks';
import { nvidiaCheck } from './nvidia-check';
import type { Patient } from './patient';

/** The same for whoever asks while one goes on: they get its report. */
export function createExamination(patient: Patient): () => Promise<DoctorReport> {
  let running: Promise<DoctorReport> | undefined;
  return () =>
    (running ??= examineHost(patient).finally(() => {
      running = undefined;
    }));
}

/** Looks at a host and its way to the console. Takes seconds at most and changes nothing. Never throws. */
export async function examineHost(patient: Patient): Promise<DoctorReport> {
  const checks = [...consoleChecks(patient), ...engineChecks(patient), ...machineChecks(patient), nvidiaCheck(patient)];
  return { findings: await examine(checks) };
}
