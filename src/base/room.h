#ifndef PRVCUT_BASE_ROOM_H
#define PRVCUT_BASE_ROOM_H

/**
 * Bytes of a room whose size only speed depends on. Fuzz targets take a 64th: small inputs reach
 * the borders, and no run waits for memory that it does not use.
 */
#ifdef PRVCUT_FUZZ
#define PRVCUT_ROOM(bytes) ((bytes) / 64)
#else
#define PRVCUT_ROOM(bytes) (bytes)
#endif

#endif
