import { NextResponse, type NextRequest } from 'next/server';

const SIGNED_OUT_PAGES = [
  '/login',
  '/first-steps',
  '/forgot-password',
  '/confirm-password-reset',
  '/confirm-email-change',
  '/confirm-verification',
  '/verify',
  // Where the API's redirect ends in the window that a client opened.
  '/_',
];

function policyFor(nonce: string, isDevelopment: boolean): string {
  const scripts = isDevelopment ? `'self' 'unsafe-eval' 'unsafe-inline'` : `'self' 'nonce-${nonce}' 'strict-dynamic'`;
  return [
    `default-src 'self'`,
    `script-src ${scripts}`,
    // Radix and CodeMirror place elements by inline styles.
    `style-src 'self' 'unsafe-inline'`,
    `img-src 'self' blob: data:`,
    `font-src 'self'`,
    // Of WebSockets too; development's own come from elsewhere.
    `connect-src 'self'${isDevelopment ? ' ws: wss:' : ''}`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'self'`,
  ].join('; ');
}

/** One cheap redirect when no session cookie is present, and the page's security headers. Rights are never decided here. */
export function middleware(request: NextRequest): NextResponse {
  const { pathname, search } = request.nextUrl;
  const isOpen = SIGNED_OUT_PAGES.some((page) => pathname === page || pathname.startsWith(`${page}/`));
  const hasSession = request.cookies.has('__Host-berth_session') || request.cookies.has('berth_session');
  if (!isOpen && !hasSession) {
    const login = new URL('/login', request.url);
    if (pathname !== '/') login.searchParams.set('redirect', pathname + search);
    return NextResponse.redirect(login);
  }
  const nonce = btoa(crypto.randomUUID());
  const policy = policyFor(nonce, process.env.NODE_ENV === 'development');
  const headers = new Headers(request.headers);
  headers.set('x-nonce', nonce);
  headers.set('content-security-policy', policy);
  headers.set('x-path', pathname + search);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', policy);
  response.headers.set('x-content-type-options', 'nosniff');
  response.headers.set('referrer-policy', 'same-origin');
  return response;
}

export const config = { matcher: ['/((?!api(?:/|$)|_next/|favicon.ico|icon.svg|.*\\.(?:png|svg|woff2|ico|txt)$).*)'] };
