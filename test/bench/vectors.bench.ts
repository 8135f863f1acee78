export async function measureVectors(): Promise<unknown> {
  return {};
}
