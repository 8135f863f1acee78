/**
 * Containers that are opened. Playlists and other formats that lead to further files are not among them: a hostile one could have
 * local files read into its frames.
 */
const CONTAINERS = 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,asf,flv,mpeg,mpegts,ogg';
/** Frames above this many pixels are refused before they are decoded. */
const MAX_FRAME_PIXELS = 100_000_000;

/** Options of ffmpeg and ffprobe alike that open a local file and nothing else. */
export function inputArguments(videoPath: string): string[] {
  return [
    ...['-protocol_whitelist', 'file,pipe'],
    ...['-format_whitelist', CONTAINERS],
    ...['-max_pixels', String(MAX_FRAME_PIXELS)],
    // The prefix keeps a name such as `concat:…` from being read as a protocol.
    ...['-i', `file:${videoPath}`],
  ];
}
