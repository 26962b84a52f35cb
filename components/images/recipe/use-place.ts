'use client';

import { useWatch, type UseFormReturn } from 'react-hook-form';
import type { ImageValues } from '../image-schema';
import type { PackagePlace } from './use-packages';

/** Where the package of a row comes from: its own channel, or those of its environment and the image. */
export function usePlace(form: UseFormReturn<ImageValues>, index: number, place: number): PackagePlace {
  const at = `environments.${index}.packages.${place}` as const;
  const [manager, channel, channels, ofImage] = useWatch({
    control: form.control,
    name: [`${at}.manager`, `${at}.channel`, `environments.${index}.channels`, 'channels'],
  });
  return { manager, channels: channel ? [channel] : [...channels.map(({ name }) => name), ...ofImage] };
}
