import { describe, expect, it } from 'vitest';
import { ssoFormSchema, toForm, toSetting } from './sso-values';

describe('the form of single sign-on', () => {
  it('begins with what is usual where nothing is stored', () => {
    for (const stored of [undefined, null, 'text', { enabled: 'yes' }]) {
      expect(toForm(stored)).toMatchObject({ enabled: false, displayName: 'SSO', scopes: 'openid email profile' });
    }
  });

  it('shows what is stored, and never a secret', () => {
    const form = toForm({ clientId: 'berth', clientSecret: 'hidden', scopes: ['openid'], mappedFields: { id: 'uid' } });
    expect(form).toMatchObject({ clientId: 'berth', clientSecret: '', scopes: 'openid', removeSecret: false });
    expect(form.mappedFields).toMatchObject({ id: 'uid', email: 'email' });
  });

  it('sends an empty secret to keep the stored one, null to take it away, and a new one in any case', () => {
    const form = ssoFormSchema.parse(toForm({}));
    const secretOf = (change: object) => toSetting({ ...form, ...change })['clientSecret'];
    expect(secretOf({})).toBe('');
    expect(secretOf({ removeSecret: true })).toBeNull();
    expect(secretOf({ removeSecret: true, clientSecret: 'new' })).toBe('new');
  });

  it('takes scopes with blanks and commas between them', () => {
    expect(toSetting({ ...toForm({}), scopes: ' openid,email  groups ' })['scopes']).toEqual([
      'openid',
      'email',
      'groups',
    ]);
    expect(toSetting(toForm({}))).not.toHaveProperty('removeSecret');
  });
});
