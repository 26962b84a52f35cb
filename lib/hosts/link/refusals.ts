import { z } from 'zod';
import { AppError, type ErrorCode } from '@/lib/errors';
import { AGENT_REFUSALS } from '@/lib/protocol/calls';
import { describeMisfit, spokenHere } from '@/lib/protocol/version';

type Refusal = keyof typeof AGENT_REFUSALS;

const codeOf: Record<Refusal, ErrorCode> = {
  unknownHost: 'unauthenticated',
  badProof: 'unauthenticated',
  clockSkew: 'unauthenticated',
  replayed: 'unauthenticated',
  duplicateInstance: 'conflict',
  protocol: 'forbidden',
  nameTaken: 'conflict',
  badToken: 'forbidden',
};

/** A refusal that an agent acts on, under `data.agent`. */
export function refusal(kind: Refusal, message: string): AppError {
  return new AppError(codeOf[kind], message, { fields: { agent: { code: AGENT_REFUSALS[kind], message } } });
}

const versionsReadSchema = z.object({ versions: z.object({ protocol: z.int(), protocolMin: z.int() }) });

/**
 * A message that says which versions its agent speaks. They are looked at before the rest, whose shape may be another in
 * a version that this console doesn't know: throws the `protocol` refusal, saying which side to upgrade.
 */
export function spokenBy<T>(schema: z.ZodType<T>): z.ZodType<T> {
  return z.unknown().transform((message) => {
    const read = versionsReadSchema.safeParse(message);
    const misfit = read.success ? describeMisfit(read.data.versions, spokenHere) : '';
    if (misfit !== '') throw refusal('protocol', misfit);
    return schema.parse(message);
  });
}
