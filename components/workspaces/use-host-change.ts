'use client';

import { useEffect, useRef, useState } from 'react';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import type { WorkspaceValues } from './workspace-schema';

export type Cleared = 'volumes' | 'networks' | 'cards' | 'runtime';

/** Takes out what belongs to the host that was picked before, and says what that was. */
export function useHostChange(form: UseFormReturn<WorkspaceValues>): Cleared[] {
  const host = useWatch({ control: form.control, name: 'host' });
  const before = useRef(host);
  const [cleared, setCleared] = useState<Cleared[]>([]);
  useEffect(() => {
    if (before.current === host) return;
    const hadHost = before.current !== '';
    before.current = host;
    if (!hadHost) return;
    const { volumes, networks, gpus, runtime } = form.getValues();
    const found: Cleared[] = [];
    if (volumes.length > 0) found.push('volumes');
    if (networks.length > 0) found.push('networks');
    if (gpus.uuids.length > 0) found.push('cards');
    if (runtime !== '') found.push('runtime');
    if (found.includes('volumes')) form.setValue('volumes', []);
    if (found.includes('networks')) form.setValue('networks', []);
    if (found.includes('cards'))
      form.setValue('gpus', { ...gpus, by: gpus.by === 'cards' ? 'none' : gpus.by, uuids: [] });
    if (found.includes('runtime')) form.setValue('runtime', '');
    form.clearErrors(['volumes', 'networks', 'gpus', 'runtime', 'portMappings']);
    setCleared(found);
  }, [form, host]);
  return cleared;
}
