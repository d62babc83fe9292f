// NVRTC has the device functions of this header built in.
#pragma once
