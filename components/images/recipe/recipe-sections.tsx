'use client';

import type { UseFormReturn } from 'react-hook-form';
import type { ImageValues } from '../image-schema';
import { EnvironmentsSection } from './environments-section';
import { StartupSection } from './startup-section';
import { UserSection } from './user-section';

/** What a generated image is made of, beside its base and its files. */
export function RecipeSections({ form }: { form: UseFormReturn<ImageValues> }) {
  return (
    <>
      <EnvironmentsSection form={form} />
      <StartupSection form={form} />
      <UserSection form={form} />
    </>
  );
}
