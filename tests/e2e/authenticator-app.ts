import { Secret, TOTP } from 'otpauth';

const STEP_MS = 30_000;

/** An authenticator app on somebody's phone. */
export class AuthenticatorApp {
  private readonly totp: TOTP;
  private lastStep = 0;

  constructor(secret: string) {
    this.totp = new TOTP({ secret: Secret.fromBase32(secret.replace(/\s/g, '')), digits: 6, period: 30 });
  }

  /** A code that was not given before; each counts once. Waits where the console takes no newer one yet. */
  async nextCode(): Promise<string> {
    const step = Math.max(this.lastStep + 1, Math.floor(Date.now() / STEP_MS) - 1);
    const takenFromMs = (step - 1) * STEP_MS;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, takenFromMs - Date.now())));
    this.lastStep = step;
    return this.totp.generate({ timestamp: step * STEP_MS });
  }
}
