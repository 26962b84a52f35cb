import { z } from 'zod';
import { limits } from '@/lib/domain/limits';
import { checkPassword } from '@/lib/domain/password-rules';

export const passwordRules = [
  { key: 'length', isMet: (value: string) => value.length >= limits.passwordMinLength },
  { key: 'capital', isMet: (value: string) => /[A-Z]/.test(value) },
  { key: 'number', isMet: (value: string) => /\d/.test(value) },
  { key: 'special', isMet: (value: string) => /[@$!%*?&]/.test(value) },
] as const;

export const passwordSchema = z
  .string()
  .min(1, 'required')
  .refine((value) => value === '' || checkPassword(value)?.code !== 'validation_weak_password', 'weakPassword')
  .refine((value) => value === '' || checkPassword(value)?.code !== 'validation_length_out_of_range', 'passwordLength');

export const accountSchema = z
  .object({
    name: z.string().trim().min(1, 'required').max(limits.nameLength),
    username: z
      .string()
      .trim()
      .min(1, 'required')
      .regex(/^\w[\w.-]{2,149}$/, 'badUsername'),
    email: z.string().trim().min(1, 'required').pipe(z.email('isNotEmail')),
    password: passwordSchema,
    passwordConfirm: z.string().min(1, 'required'),
  })
  .refine((values) => values.password === values.passwordConfirm, {
    path: ['passwordConfirm'],
    message: 'passwordsDoNotMatch',
  });

/** A new password, typed twice. */
export const newPasswordSchema = z
  .object({ password: passwordSchema, passwordConfirm: z.string().min(1, 'required') })
  .refine((values) => values.password === values.passwordConfirm, {
    path: ['passwordConfirm'],
    message: 'passwordsDoNotMatch',
  });

export type AccountValues = z.infer<typeof accountSchema>;

export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/apng'];
