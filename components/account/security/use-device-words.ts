'use client';

import { useTranslations } from 'next-intl';
import { readDevice, type Device } from './device-words';

/** How a browser is called: "Firefox on Linux". */
export function useDeviceWords(): (userAgent: string) => Device & { words: string } {
  const t = useTranslations('pages.factor.device');
  return (userAgent) => {
    const device = readDevice(userAgent);
    const { browser, system } = device;
    const words = browser && system ? t('both', { browser, system }) : browser || system || t('unknown');
    return { ...device, words };
  };
}
