/**
 * Works on files of an index. These go once it was published twice anew; work that they were taken from begins again with those that are
 * there then.
 * @param again What is to be worked on now; undefined where nothing is.
 * @returns What the work was done on in the end; undefined where nothing was left to do.
 */
export async function onIndexFiles<Request extends { graph_file: string }>(
  first: Request,
  again: () => Promise<Request | undefined>,
  work: (request: Request) => Promise<void>,
): Promise<Request | undefined> {
  for (let request = first; ; ) {
    try {
      await work(request);
      return request;
    } catch (error) {
      const next = await again();
      if (next?.graph_file === request.graph_file) throw error;
      if (next === undefined) return undefined;
      request = next;
    }
  }
}
