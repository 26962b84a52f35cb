'use client';

import { NewCodesDialog } from './new-codes-dialog';
import { PasskeyDialog } from './passkey-dialog';
import { RemoveFactorDialog, type Factor } from './remove-factor-dialog';
import { RenamePasskeyDialog } from './rename-passkey-dialog';
import type { FactorState } from './security-queries';
import { TotpDialog } from './totp-dialog';

/** What someone wants to do with their second factor. */
export type FactorAsk =
  | { kind: 'totp' | 'passkey' | 'codes' }
  | { kind: 'remove'; factor: Factor }
  | { kind: 'rename'; passkey: { id: string; name: string } };

interface FactorDialogsProps {
  ask: FactorAsk;
  state: FactorState;
  onClose: () => void;
}

export function FactorDialogs({ ask, state, onClose }: FactorDialogsProps) {
  const shared = { needsPassword: state.needsPassword !== false, onClose };
  switch (ask.kind) {
    case 'totp':
      return <TotpDialog {...shared} />;
    case 'passkey':
      return <PasskeyDialog {...shared} />;
    case 'codes':
      return <NewCodesDialog {...shared} />;
    case 'rename':
      return <RenamePasskeyDialog passkey={ask.passkey} onClose={onClose} />;
    case 'remove':
      return (
        <RemoveFactorDialog
          factor={ask.factor}
          isLast={(state.totp ? 1 : 0) + state.passkeys.length === 1}
          {...shared}
        />
      );
  }
}
