import 'server-only';
import { settingsTable } from '@/db/schema/settings';
import { env } from '@/lib/env';
import { keptUntilChange } from '@/lib/records/kept-value';
import { StoreReader } from '@/lib/records/transaction';

const stored = keptUntilChange('service-server', ['settings'], () => {
  const settings = { name: 'settings', table: settingsTable };
  const [row] = new StoreReader().find(settings, { key: 'serviceServer' }, { limit: 1 });
  const { endpointUrl } = (row?.value ?? {}) as { endpointUrl?: unknown };
  return typeof endpointUrl === 'string' ? endpointUrl.trim() : '';
});

/** Where reverse proxies ask who may come in: at the service server of the settings, else at this console. */
export function forwardAuthAddress(): string {
  return `${(stored() || env().publicUrl).replace(/\/+$/, '')}/api/forward-auth`;
}
