/** How long another caller waited for an answer at most, while the work ran. */
export async function meanwhile<T>(url: string, work: () => Promise<T>): Promise<{ result: T; longestMs: number }> {
  let isDone = false;
  let longestMs = 0;
  const other = async (): Promise<void> => {
    while (!isDone) {
      const startMs = performance.now();
      const response = await fetch(`${url}/api/health`);
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`another caller was answered ${response.status}`);
      longestMs = Math.max(longestMs, performance.now() - startMs);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const others = other();
  try {
    const result = await work();
    return { result, longestMs };
  } finally {
    isDone = true;
    await others;
  }
}
