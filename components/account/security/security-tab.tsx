'use client';

import { ApiTokensSection } from './api-tokens-section';
import { FactorSection } from './factor-section';
import { SessionsSection } from './sessions-section';

/** What secures one's own account beside the password, and what is logged in with it. */
export function SecurityTab() {
  return (
    <div className="max-w-[760px]">
      <FactorSection />
      <SessionsSection />
      <ApiTokensSection />
    </div>
  );
}
