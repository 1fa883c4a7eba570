/**
 * Returns a fetch that answers with these bytes, in chunks that end at the given positions. Makes no request.
 */
export function fetchOf(
  body: string,
  { contentType, cuts = [], breaks = false }: { contentType: string; cuts?: number[]; breaks?: boolean },
): { fetch: typeof fetch; sent: () => string[] } {
  const sent: string[] = [];
  const bytes = new TextEncoder().encode(body);
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1))), bytes.length].sort((a, b) => a - b);
  const ownFetch: typeof fetch = (_input, init) => {
    sent.push(typeof init?.body === 'string' ? init.body : '');
    const chunks = ends.map((end, index) => bytes.slice(ends[index - 1] ?? 0, end));
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        const chunk = chunks.shift();
        if (chunk !== undefined) return controller.enqueue(chunk);
        if (breaks) controller.error(new TypeError('terminated'));
        else controller.close();
      },
    });
    return Promise.resolve(new Response(stream, { headers: { 'content-type': contentType } }));
  };
  return { fetch: ownFetch, sent: () => sent };
}
