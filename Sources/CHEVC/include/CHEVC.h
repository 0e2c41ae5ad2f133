#ifndef CHEVC_H
#define CHEVC_H

struct heif_decoder_plugin;

// A decoder of HEVC for libheif over libde265. libheif brings one of its own, which drops what libde265 says of data that
// end early or make no sense: a picture whose rest is gray or noise would pass for sound. This one makes an error of it.
// It does not wait for `heif_decoding_options.strict_decoding`, which libheif 1.15 does not hand on for every file: who wants
// what can be read of a damaged file asks for the other one, by its name "libde265".

/// The plugin to register, valid as long as the process; NULL where libde265 cannot be opened or is another one.
/// - Parameter heif: libheif as `dlopen` opened it. To be called once.
const struct heif_decoder_plugin *chevc_plugin(void *heif);

#endif
