import { getRequestConfig } from 'next-intl/server';
import common from '@/messages/en/common.json';
import layout from '@/messages/en/layout.json';
import pages from '@/messages/en/pages.json';

const messages = { common, layout, pages };
export type Messages = typeof messages;

/** English only: no locale in addresses. Times are shown in the viewer's own zone, so pages format them in the browser. */
export default getRequestConfig(() => ({ locale: 'en', timeZone: 'UTC', messages }));
