'use client';

import { SettingPage } from './setting-page';
import { SsoForm } from './sso-form';

interface SsoTabProps {
  hasSecret: boolean;
  redirectUrl: string;
}

/** Single sign-on, once its setting is here. */
export function SsoTab(props: SsoTabProps) {
  return <SettingPage settingKey="sso">{(setting) => <SsoForm setting={setting} {...props} />}</SettingPage>;
}
