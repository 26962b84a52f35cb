import type { Messages } from '@/lib/i18n-request';
import type { Language } from '@/lib/vocabulary/languages';

declare module 'next-intl' {
  interface AppConfig {
    Locale: Language;
    Messages: Messages;
  }
}
