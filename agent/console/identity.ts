import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
} from 'node:crypto';
import path from 'node:path';
import { SignJWT } from 'jose';
import { z } from 'zod';
import { toMessage } from '../engines/engine-error';
import { StateFile } from '../state-file';

const identityFileSchema = z.object({
  /** PKCS #8, PEM. */
  privateKey: z.string(),
  /** Empty until the host has joined. */
  hostId: z.string(),
  /** What signs the console's answers; empty until one has signed. */
  consoleKey: z.string().default(''),
});
type IdentityFile = z.infer<typeof identityFileSchema>;

/** Without its key a host is nobody, and a new key is another host: that is for a person to decide. */
const DAMAGED_ADVICE =
  'Put it back from a backup. Without one, remove the host in the console, delete the file and join with a new token.';

function parseIdentity(value: unknown): IdentityFile {
  const identity = identityFileSchema.parse(value);
  createPrivateKey(identity.privateKey);
  return identity;
}

const READ_ONLY_ADVICE = 'Give it one that it may write, with room on its disk (BERTH_AGENT_STATE_DIR).';

export interface ProofRequest {
  method: string;
  url: string;
  body: string;
  /** The console's clock, milliseconds. */
  nowMs: number;
}

/** The host's key pair and id, kept in the state folder. The private key never leaves it. */
export class Identity {
  private constructor(
    private readonly file: StateFile<IdentityFile>,
    private readonly key: KeyObject,
    private currentHostId: string,
    private knownConsoleKey: string,
  ) {}

  /** Reads the identity, or makes a new key pair. Throws, and says what to do, when the file is damaged. */
  static async load(stateDir: string): Promise<Identity> {
    const file = new StateFile(path.join(stateDir, 'identity.json'), parseIdentity, DAMAGED_ADVICE);
    const stored = await file.load();
    if (stored) return new Identity(file, createPrivateKey(stored.privateKey), stored.hostId, stored.consoleKey);
    const identity = new Identity(file, generateKeyPairSync('ed25519').privateKey, '', '');
    try {
      await identity.save();
    } catch (error) {
      const words = `The agent can't write its state folder ${stateDir}: ${toMessage(error)}. ${READ_ONLY_ADVICE}`;
      throw new Error(words, { cause: error });
    }
    return identity;
  }

  /** Empty until the host has joined. */
  get hostId(): string {
    return this.currentHostId;
  }

  /** Raw Ed25519 public key, base64url; empty while no console has signed anything. */
  get consoleKey(): string {
    return this.knownConsoleKey;
  }

  async setConsoleKey(consoleKey: string): Promise<void> {
    this.knownConsoleKey = consoleKey;
    await this.save();
  }

  /** Raw Ed25519 public key, base64url. */
  get publicKey(): string {
    return z.object({ x: z.string() }).parse(createPublicKey(this.key).export({ format: 'jwk' })).x;
  }

  async setHostId(hostId: string): Promise<void> {
    this.currentHostId = hostId;
    await this.save();
  }

  /** A signed statement that this host makes just this request, good for one use. */
  prove({ method, url, body, nowMs }: ProofRequest): Promise<string> {
    const htu = url.replace(/[?#].*$/, '');
    const bsh = createHash('sha256').update(body).digest('base64url');
    return new SignJWT({ htm: method, htu, bsh })
      .setProtectedHeader({ alg: 'EdDSA' })
      .setIssuer(this.currentHostId)
      .setIssuedAt(Math.floor(nowMs / 1000))
      .setJti(randomUUID())
      .sign(this.key);
  }

  private save(): Promise<void> {
    const privateKey = this.key.export({ type: 'pkcs8', format: 'pem' }).toString();
    return this.file.save({ privateKey, hostId: this.currentHostId, consoleKey: this.knownConsoleKey });
  }
}
