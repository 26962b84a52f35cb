import type { z } from 'zod';
import type { MuxStream } from '../../lib/protocol/mux-stream';
import type { openSignInSchema, signInSchema } from '../../lib/protocol/registry-streams';
import type { Engine } from '../engines/engine';
import { toMessage } from '../engines/engine-error';
import { answer, RefusedQuestion, watchStream } from './answers';

/** Answers an `open` that asks whether a registry takes an account. */
export function serveSignIn(stream: MuxStream, open: z.infer<typeof openSignInSchema>, engine: Engine): void {
  watchStream(stream);
  const { serveraddress, username, password } = open;
  void answer(stream, async (): Promise<z.infer<typeof signInSchema>> => {
    if (!engine.signIn) throw new RefusedQuestion('invalid', 'The engine of this host asks no registry.');
    try {
      await engine.signIn({ serveraddress, username, password });
      return { isSignedIn: true, message: '' };
    } catch (error) {
      return { isSignedIn: false, message: toMessage(error).slice(0, 2000) };
    }
  });
}
