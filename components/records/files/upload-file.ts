import { ready } from '@/components/data/client';

/** Why a file was not taken; `exists` when there is one of its name. */
export class UploadError extends Error {
  constructor(
    message: string,
    readonly exists: boolean,
  ) {
    super(message);
  }
}

interface Upload {
  /** Of the files. */
  api: string;
  folder: string;
  file: File;
  replaces: boolean;
  onSent: (bytes: number) => void;
  signal: AbortSignal;
}

interface Refusal {
  message?: string;
  data?: { name?: { code?: string } };
}

/** Sends a file into a folder. Rejects with an UploadError. */
export async function uploadFile({ api, folder, file, replaces, onSent, signal }: Upload): Promise<void> {
  const query = new URLSearchParams({ path: folder, name: file.name, ...(replaces && { replace: '1' }) }).toString();
  await sendFile({ address: `${api}?${query}`, file, onSent, signal });
}

interface Sending extends Pick<Upload, 'file' | 'onSent' | 'signal'> {
  address: string;
  /** Of a form; without it the file is the body. */
  field?: string;
}

/** Posts a file as it is, or as a field of a form. Rejects with an UploadError. */
export async function sendFile({ address, file, field, onSent, signal }: Sending): Promise<void> {
  const { token } = (await ready()).authStore;
  await new Promise<void>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', address);
    request.setRequestHeader('authorization', token);
    if (field === undefined) request.setRequestHeader('content-type', 'application/octet-stream');
    request.upload.onprogress = ({ loaded }) => onSent(loaded);
    request.onload = () => ([200, 204].includes(request.status) ? resolve() : reject(toError(request.responseText)));
    request.onerror = () => reject(new UploadError('', false));
    request.onabort = () => reject(new UploadError('', false));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    if (signal.aborted) return reject(new UploadError('', false));
    request.send(field === undefined ? file : formOf(field, file));
  });
}

function formOf(field: string, file: File): FormData {
  const form = new FormData();
  form.append(field, file, file.name);
  return form;
}

function toError(text: string): UploadError {
  try {
    const { message = '', data } = JSON.parse(text) as Refusal;
    return new UploadError(message, data?.name?.code === 'validation_file_exists');
  } catch {
    return new UploadError('', false);
  }
}
