import 'server-only';
import { settingsTable } from '@/db/schema/settings';
import { env } from '@/lib/env';
import { keptUntilChange } from '@/lib/records/kept-value';
import { StoreReader } from '@/lib/records/transaction';
import {
  type ForwardAuthSetting,
  forwardAuthSettingSchema,
  type ServiceServerSetting,
  serviceServerSettingSchema,
} from './setting-schemas';

export const FORWARD_AUTH_PATH = '/api/forward-auth';

const stored = keptUntilChange('forward-auth-settings', ['settings'], () => {
  const server = serviceServerSettingSchema.safeParse(valueOf('serviceServer') ?? {});
  const forwardAuth = forwardAuthSettingSchema.safeParse(valueOf('forwardAuth') ?? {});
  return {
    serviceServer: server.data ?? serviceServerSettingSchema.parse({}),
    forwardAuth: forwardAuth.data ?? forwardAuthSettingSchema.parse({}),
  };
});

function valueOf(key: string): unknown {
  const [row] = new StoreReader().find({ name: 'settings', table: settingsTable }, { key }, { limit: 1 });
  return row?.value;
}

function serviceServer(): ServiceServerSetting {
  return stored().serviceServer;
}

/** Cookies, lifetime and further servers of protected addresses, as they are set now. */
export function forwardAuthSetting(): ForwardAuthSetting {
  return stored().forwardAuth;
}

/** The absolute address that proxies ask who comes. */
export function forwardAuthAddress(): string {
  const base = serviceServer().endpointUrl || env().publicUrl;
  return `${base.replace(/\/+$/, '')}${FORWARD_AUTH_PATH}`;
}
