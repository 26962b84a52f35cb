import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';

type Cbor = number | string | Buffer | Map<number | string, Cbor>;

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}

function encode(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const parts = [...value].flatMap(([key, item]) => [encode(key), encode(item)]);
  return Buffer.concat([head(5, value.size), ...parts]);
}

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();
const [USER_PRESENT, USER_VERIFIED, MAY_BE_BACKED_UP, IS_BACKED_UP, HAS_KEY] = [1, 4, 8, 16, 64] as const;

interface Ceremony {
  challenge: string;
  origin?: string;
  rpId?: string;
  isUserVerified?: boolean;
}

/** An authenticator with one key: what a browser would hand on from it, made and signed for real (ES256, no attestation). */
export class SoftwareAuthenticator {
  readonly credentialId = randomBytes(32);
  counter = 0;
  isBackedUp = false;
  userHandle = '';
  private readonly privateKey: KeyObject;
  private readonly coseKey: Buffer;

  constructor(private readonly site: { origin: string; rpId: string }) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x, y } = publicKey.export({ format: 'jwk' });
    this.privateKey = privateKey;
    this.coseKey = encode(
      new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x!, 'base64url')],
        [-3, Buffer.from(y!, 'base64url')],
      ]),
    );
  }

  /** Answers options for a new passkey. */
  create({ userHandle, ...ceremony }: Ceremony & { userHandle: string }) {
    this.userHandle = userHandle;
    const length = Buffer.from([0, this.credentialId.length]);
    const attested = Buffer.concat([Buffer.alloc(16), length, this.credentialId, this.coseKey]);
    const authData = Buffer.concat([this.authData(ceremony, HAS_KEY), attested]);
    const attestation = new Map<string, Cbor>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]);
    return this.credential({
      clientDataJSON: this.clientData('webauthn.create', ceremony).toString('base64url'),
      attestationObject: encode(attestation).toString('base64url'),
      transports: ['internal'],
    });
  }

  /** Answers options for signing in. */
  get(ceremony: Ceremony) {
    const clientData = this.clientData('webauthn.get', ceremony);
    const authData = this.authData(ceremony, 0);
    const signature = createSign('sha256')
      .update(Buffer.concat([authData, sha256(clientData)]))
      .sign(this.privateKey);
    return this.credential({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: this.userHandle,
    });
  }

  private credential<R extends object>(response: R) {
    const id = this.credentialId.toString('base64url');
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  private clientData(type: string, { challenge, origin = this.site.origin }: Ceremony): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  private authData({ rpId = this.site.rpId, isUserVerified = true }: Ceremony, extraFlags: number): Buffer {
    const backup = this.isBackedUp ? MAY_BE_BACKED_UP | IS_BACKED_UP : 0;
    const flags = USER_PRESENT | (isUserVerified ? USER_VERIFIED : 0) | backup | extraFlags;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter]);
  }
}
