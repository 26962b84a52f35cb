import type { Messages } from '@/lib/i18n-request';

declare module 'next-intl' {
  interface AppConfig {
    Locale: 'en';
    Messages: Messages;
  }
}
