import { apiKernel } from '@/lib/api/kernel';
import { serveFetch } from '@/lib/http/fetch-door';

export const dynamic = 'force-dynamic';

function answer(request: Request): Promise<Response> {
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
