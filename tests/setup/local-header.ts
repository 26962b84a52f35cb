import { LOCAL_HEADER, localMark } from '@/lib/http/local';

/** As the server says it of calls that come from this machine. */
export const localHeader = { [LOCAL_HEADER]: localMark() };
