import type { z } from 'zod';
import type { MuxStream } from '../../lib/protocol/mux-stream';
import type {
  openRemoteDigestSchema,
  openSignInSchema,
  remoteDigestSchema,
  signInSchema,
} from '../../lib/protocol/registry-streams';
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

/** Answers an `open` that asks what a registry has under a name. */
export function serveRemoteDigest(
  stream: MuxStream,
  { reference, account }: z.infer<typeof openRemoteDigestSchema>,
  engine: Engine,
): void {
  watchStream(stream);
  void answer(stream, async (): Promise<z.infer<typeof remoteDigestSchema>> => {
    if (!engine.findRemoteDigest) throw new RefusedQuestion('invalid', 'The engine of this host asks no registry.');
    return { digest: await engine.findRemoteDigest(reference, account) };
  });
}
