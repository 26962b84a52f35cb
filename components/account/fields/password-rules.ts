import { z } from 'zod';
import { limits } from '@/lib/vocabulary/limits';
import { checkPassword } from '@/lib/vocabulary/password-rules';

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

export const nameSchema = z.string().trim().min(1, 'required').max(limits.nameLength);

export const usernameSchema = z
  .string()
  .trim()
  .min(1, 'required')
  .regex(/^\w[\w.-]{2,149}$/, 'badUsername');

export const emailSchema = z.string().trim().min(1, 'required').pipe(z.email('isNotEmail'));

export const accountSchema = z
  .object({
    name: nameSchema,
    username: usernameSchema,
    email: emailSchema,
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
