import { apiKernel } from '@/lib/api/kernel';
import { NOT_FOUND_MESSAGE } from '@/lib/errors';
import { isApiLaneTaken } from '@/lib/http/api-lane';
import { serveFetch } from '@/lib/http/fetch-door';

export const dynamic = 'force-dynamic';

function answer(request: Request): Promise<Response> {
  if (isApiLaneTaken()) {
    const body = { code: 404, message: NOT_FOUND_MESSAGE, data: {} };
    return Promise.resolve(Response.json(body, { status: 404 }));
  }
  return serveFetch(apiKernel(), request);
}

export {
  answer as GET,
  answer as HEAD,
  answer as POST,
  answer as PUT,
  answer as PATCH,
  answer as DELETE,
  answer as OPTIONS,
};
